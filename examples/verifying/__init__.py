"""What verifier.py is made of; written from the documents alone, and free of phaseledger's code."""
