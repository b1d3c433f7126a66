"""Refusals of requests about webhooks."""

from phaseledger.service.refusals import LimitReached, Occasion, Refusal


class NoSuchWebhook(Refusal, code="no_such_webhook", status=404, met=(Occasion.FINDING_A_WEBHOOK,)):
    """The webhook was never registered, or is deleted."""


class TooManyRegistrations(LimitReached, code="too_many_registrations", status=429):
    """The host's address may register no further webhook for ``wait`` seconds."""


class TooManyWebhooks(Refusal, code="too_many_webhooks", status=409, met=(Occasion.REGISTERING,)):
    """There would be more than `store.MOST`."""


class WebhookRefused(
    Refusal, code="webhook_refused", status=422, met=(Occasion.OPENING, Occasion.REGISTERING)
):
    """Nothing would be sent there, as `egress` says."""


class WebhooksUnavailable(
    Refusal, code="webhooks_unavailable", status=503, met=(Occasion.OPENING, Occasion.WEBHOOKS)
):
    """The service has no part that delivers."""
