"use strict";
/* The borders between the panes can be moved, by dragging and by keys. Calls `changed` when they were. */
const Panes = (changed) => {
  const NARROWEST = 180, KEY_STEP = 24;
  const {$} = Dom;

  const room = () => $("trace-view").clientWidth;
  const widthOf = (pane) => $(pane).getBoundingClientRect().width;

  function setWidth(pane, width) {
    const other = pane === "source-pane" ? "details" : "source-pane";
    const most = Math.max(NARROWEST, room() - widthOf(other) - 2 * NARROWEST),
          wanted = Math.round(Math.min(most, Math.max(NARROWEST, width)));
    $("trace-view").style.setProperty(`--${pane}`, `${wanted}px`);
    changed();
  }

  /* `sign`: which way the pane grows. */
  function makeMovable(border, pane, sign) {
    let begin = null;
    border.addEventListener("pointerdown", (e) => {
      begin = {x: e.clientX, width: widthOf(pane)};
      border.setPointerCapture(e.pointerId);
      e.preventDefault();
    });
    border.addEventListener("pointermove", (e) => {
      if (begin) setWidth(pane, begin.width + sign * (e.clientX - begin.x));
    });
    border.addEventListener("pointerup", () => {
      begin = null;
    });
    border.addEventListener("pointercancel", () => {
      begin = null;
    });
    border.addEventListener("dblclick", () => {
      $("trace-view").style.removeProperty(`--${pane}`);
      changed();
    });
    border.addEventListener("keydown", (e) => {
      const direction = e.key === "ArrowLeft" ? -1 : e.key === "ArrowRight" ? 1 : 0;
      if (!direction) return;
      e.preventDefault();
      e.stopPropagation();
      setWidth(pane, widthOf(pane) + sign * direction * KEY_STEP);
    });
  }

  makeMovable($("left-border"), "source-pane", 1);
  makeMovable($("right-border"), "details", -1);
};
