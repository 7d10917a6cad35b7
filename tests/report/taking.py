"""What every table and chart of a page must offer, counted in a browser."""

from typing import Any

OFFERED = """() => {
  const offered = (place) => {
    let next = place.nextElementSibling;
    if (next?.matches(".zoom")) next = next.nextElementSibling;
    return next?.matches("details.take")
      ? [...next.querySelectorAll("button, a")].map((one) => one.getAttribute("href") ?? one.textContent) : [];
  };
  const charts = [...document.querySelectorAll("[data-chart]")]
    .map((one) => [one.dataset.chart, offered(one.closest(".scroll") ?? one)]);
  const tables = [...document.querySelectorAll("main table")]
    .map((one) => [one.closest(".table")?.ariaLabel, offered(one.closest(".table") ?? one)]);
  return { charts, tables };
}"""  # noqa: E501


def everything_is_taken_along(tab: Any) -> tuple[int, int]:
    """Charts: copy, CSV, SVG, PNG, PDF; tables: copy, CSV. How many of each the page has."""
    found = tab.evaluate(OFFERED)
    made = tab.evaluate("() => JSON.parse(document.querySelector('#figure-files').textContent)")
    assert sorted(name for name, _ in found["charts"]) == sorted(made)
    for name, offers in found["charts"]:
        files = [f"figures/{name}.pdf", f"figures/{name}.svg"]
        assert offers[:6] == ["Copy", "CSV", "SVG", "PNG", *files], name
        assert all(one.startswith("tables/") for one in offers[6:]), name
    for name, offers in found["tables"]:
        assert offers[:2] == ["Copy", "CSV"], name
        assert all(one.startswith("tables/") for one in offers[2:]), name
    return len(found["charts"]), len(found["tables"])
