"""Read models: what the events say, arranged for reading."""
