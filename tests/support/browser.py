"""A headless Chromium for tests of pages; tests that ask for it are skipped where there is none."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE = 30.0  # seconds, on a machine that does other things as well


def _program(*names: str) -> str:
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        pytest.skip(f"needs {names[0]}, which is not installed")
    return found


class Browser:
    """A window of a browser that has no network."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: Path, hash_: str = "", *, width: int = 1200, height: int = 900) -> None:
        """Open a file, in a window of this size; an address within the page may follow."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)
        self.driver.get("about:blank")  # or a change of the hash alone would not load the page again
        self.driver.get(page.resolve().as_uri() + hash_)

    def command(self, name: str, **parameters: object) -> Any:
        """Send a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def script(self, text: str) -> Any:
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(text)

    def wait(self, condition: Callable[[], Any]) -> Any:
        """Wait until something is true, and return it; what the page replaces while it is read is read again."""
        waiting = WebDriverWait(
            self.driver, _PATIENCE, poll_frequency=0.05, ignored_exceptions=[StaleElementReferenceException]
        )
        return waiting.until(lambda _: condition())

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that a selector finds."""
        return [str(element.text) for element in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def click(self, selector: str) -> None:
        """Click the first element that a selector finds, wherever it stands."""
        self.driver.execute_script("arguments[0].click()", self.driver.find_element(By.CSS_SELECTOR, selector))

    def press(self, keys: str) -> None:
        """Press keys, wherever the focus is."""
        self.driver.switch_to.active_element.send_keys(keys)

    def media(self, kind: str = "", *, dark: bool = False) -> None:
        """Show the page as on `print` or `screen`, light or dark."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", media=kind, features=[scheme])

    def complaints(self) -> list[str]:
        """Return what the browser's console has told since the last time: refused scripts, errors."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the last time."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Start a browser that keeps its own files in a folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = _program(*_CHROMIUM)
    more = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    offline = "--proxy-server=127.0.0.1:9"
    for argument in ("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", f"--user-data-dir={folder}", offline, *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=_program("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
        service.stop()
