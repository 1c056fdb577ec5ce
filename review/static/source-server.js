// Answers from the server that `hexsight review` runs.

const KEY = "hexsight-token";

/** An error with the server's sentence; `gone` when there was no answer at all. */
export class SourceError extends Error {
  constructor(message, { kind = "", status = 0, version = null } = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.version = version;
    this.gone = status === 0;
  }
}

/** Source of everything the page shows, over HTTP. */
export async function serverSource() {
  const token = await enter();
  const call = (path, options) => ask(path, token, options);
  const post = (path, body) => call(path, {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
  });
  let hashes = {};
  const picture = async (path, signal) => {
    const answer = await request(path, token, { signal });
    if (!answer.ok) return null;
    return createImageBitmap(await answer.blob());
  };
  return {
    canSave: true,
    board: async () => {
      const told = await call("/api/board");
      hashes = told.tiles.layers;
      return told;
    },
    /** Take over the picture hashes of an edit's answer. */
    heard: (tiles) => { hashes = tiles.layers; },
    los: (from, to, more) => call("/api/los?" + new URLSearchParams({ from, to, ...more })),
    viewshed: (from, signal, more) => call("/api/viewshed?" + new URLSearchParams({ from, ...more }), { signal }),
    findings: () => call("/api/findings"),
    state: () => call("/api/state"),
    tile: (layer, z, x, y, signal) =>
      hashes[layer] ? picture(`/api/tile/${layer}/${hashes[layer]}/${z}/${x}/${y}`, signal) : Promise.resolve(null),
    crop: (id) => picture(`/api/crop/${encodeURIComponent(id)}/${hashes.map}`),
    edit: (edit, version) => post("/api/edit", { version, edit }),
    undo: (version) => post("/api/undo", { version }),
    redo: (version) => post("/api/redo", { version }),
    /** Take hexsight.yaml as an editor left it. */
    reload: (version) => post("/api/reload", { version }),
    accept: (finding, accepted, version, reason) => post("/api/accept", { version, finding, accepted, reason }),
  };
}

/** The token of this start: from the address, which then forgets it, or of an earlier load. */
async function enter() {
  const said = location.hash.slice(1);
  if (said) history.replaceState(null, "", location.pathname + location.search);
  if (said.startsWith("once=")) {
    const answer = await ask("/api/enter", "", {
      method: "POST",
      body: JSON.stringify({ code: said.slice(5) }),
      headers: { "Content-Type": "application/json" },
    });
    sessionStorage.setItem(KEY, answer.token);
  } else if (said) {
    sessionStorage.setItem(KEY, said);
  }
  return sessionStorage.getItem(KEY) ?? "";
}

async function request(path, token, { headers, ...options } = {}) {
  try {
    return await fetch(path, {
      ...options, headers: { ...headers, "X-Hexsight-Token": token }, credentials: "omit",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new SourceError("The server does not answer. Start hexsight review again; the page keeps what you did.");
  }
}

async function ask(path, token, options) {
  const answer = await request(path, token, options);
  let told;
  try {
    told = await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new SourceError("The server broke off in the middle of an answer.");
  }
  if (!answer.ok) {
    throw new SourceError(told.error ?? `The server answers ${answer.status}.`, {
      kind: told.kind, status: answer.status, version: told.version ?? null,
    });
  }
  return told;
}
