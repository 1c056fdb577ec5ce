// What comes after the corrections: the commands that make the module of them.

import { el } from "./dom.js";

const COMMANDS = [
  ["hexsight build hexsight.yaml -o result --force", "reads the map with your corrections and computes all lines of sight"],
  ["hexsight export MODULE.vmod result -o new.vmod", "puts them into a copy of your module for players; MODULE.vmod stays as it is"],
];

/** The commands with what each does. */
export function nextSteps() {
  return [
    el("p", {}, "Every correction is in hexsight.yaml already. In the folder of that file:"),
    ...COMMANDS.map(([command, words]) => el("p", { class: "settle" }, el("code", {}, command), el("br", {}), words + ".")),
  ];
}
