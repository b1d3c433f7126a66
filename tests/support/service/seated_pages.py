"""A page at seat 0 of a game that was dealt as a test wants it."""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from playwright.sync_api import Browser

from tests.support.service.api_tables import Layout, Table, dealt, rows_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving
from tests.support.service.table_pages import Window, window

GAME = "00000000-0000-8000-8000-00000000ab1e"
HEARD = """const asked = window.fetch; window.heard = [];
window.fetch = async (...given) => {
  const answer = await asked(...given);
  const reader = answer.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
  const index = window.heard.push("") - 1;
  (async () => { for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    window.heard[index] += value;
  } })().catch(() => {});
  return answer;
};"""
"""Keeps whatever the page is answered, streams included."""


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What it gives, in a thread of its own: the browser's driver has the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@contextmanager
def seated(browser: Browser, layout: Layout) -> Iterator[Window]:
    """Seat 0 of a game that was dealt like this."""
    parts = in_memory()
    with serving(parts) as served:
        awaited(parts.store.append(UUID(GAME), rows_of(dealt(layout, GAME))))
        token = awaited(parts.credentials.issue(UUID(GAME), 0))
        with window(browser, served.url) as shown:
            shown.page.add_init_script(HEARD)
            yield shown.sit(Table(None, GAME, "", {0: token}), 0)  # type: ignore[arg-type]
