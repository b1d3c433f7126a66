"""Why a webhook is not registered, or not found."""


class TooManyWebhooks(Exception):
    """The game has as many webhooks as it may have."""
