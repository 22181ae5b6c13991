"""A program whose types checkers find right, but for what is marked; `python_client.py --types` runs them."""

from collections.abc import Iterator
from typing import Any, assert_type

from menud import (
    AsyncClient, AsyncMirror, AsyncSession, Changed, Client, Contents, Delivery, HistoryEntry, Item, Menu, Mirror,
    Performed, Problem, Reply, Session, SessionKey, Work, items_in, strokes)


def blocking() -> None:
    with Client("http://localhost:8080", token="t", timeout=5) as client:
        session = client.open("tablet", state={"zoom": 1})
        assert_type(session, Session)
        performed = session.perform("copy:", parameters={"n": 1}, confirm=lambda told: bool(told["title"]))
        assert_type(performed, Performed)
        assert_type(session.press({"input": "a"}), Performed | None)
        assert_type(session.patch([{"op": "remove", "path": "/a"}], undo="Typing"), Changed)
        assert_type(session.validate(["copy:"], from_="viewer"), list[Item])
        assert_type(session.entries(kind="command"), Iterator[HistoryEntry])
        session.perform("copy:", unknown=1)  # type: ignore[call-arg]
        session.perform(1)  # type: ignore[arg-type]
        session.focus("viewer", window=2)  # type: ignore[arg-type]
        with session.follow(document=True, menu=True, deliveries=["open"]) as mirror:
            assert_type(mirror, Mirror)
            assert_type(mirror.reaches(1, timeout=2), bool)
            assert_type(mirror.menu, Menu | None)
            for contents in mirror:
                assert_type(contents, Contents)
            for item, titles in items_in(mirror.menu):
                print(titles, item["title"], item["enabled"])
                assert_type(mirror.means(strokes(item)), tuple[SessionKey | None, list[SessionKey]])
        session.deliveries(by="worker").work(export, count=1)
        client.deliveries(commands=["print:"]).work(lambda work: work.value)


def export(work: Work) -> Reply:
    work.progress(0.5, "half")
    assert_type(work.delivery, Delivery)
    return Reply({"pages": 1}, [{"op": "mergeState", "patch": {"done": True}}])


async def suspending(client: AsyncClient) -> Any:
    session = await client.join("tablet")
    assert_type(session, AsyncSession)
    try:
        assert_type(await session.perform("copy:"), Performed)
        session.perform("copy:")["revision"]  # type: ignore[index]
    except Problem as problem:
        assert_type(problem.reason, str | None)
        assert_type(problem.fields, dict[str, list[str]])
        assert_type(problem.words, str)
    async with await session.follow(keys=True) as mirror:
        assert_type(mirror, AsyncMirror)
        async for contents in mirror:
            print(contents.revision)
    await session.deliveries(by="worker").work(export_later)
    return [entry["time"] async for entry in session.entries()]


async def export_later(work: Work) -> int:
    return work.id
