"use strict";
/* Elements of the page: everything is made as a node, so no text is ever read as markup. */
const Dom = (() => {
  const $ = (id) => document.getElementById(id);

  function make(tag, attributes, ...children) {
    const e = document.createElement(tag);
    fill(e, attributes, children);
    return e;
  }
  function draw(tag, attributes, ...children) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(e, attributes, children);
    return e;
  }
  function fill(e, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {}))
      if (name === "onclick") e.addEventListener("click", value);
      else if (value !== undefined && value !== false) e.setAttribute(name, value === true ? "" : value);
    e.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
  }

  return {$, make, draw};
})();
