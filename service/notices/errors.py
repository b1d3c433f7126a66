"""Refusals of requests about notices."""

from phaseledger.service.refusals import Refusal


class NoticeRefused(Refusal, code="notice_refused", status=422):
    """Nothing would be sent there, as `webhooks.egress` says, or the browser's key is none."""


class NoticesOff(Refusal, code="notices_off", status=404):
    """The service sends no notices."""
