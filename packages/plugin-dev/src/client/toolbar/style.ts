/** The toolbar's looks: its own, whatever the page's are. */
export const toolbarStyle = `
:host { all: initial; position: fixed; z-index: 2147483646; bottom: 0; inset-inline: 0; height: 0; color-scheme: light dark;
  --ground: #ffffff; --ink: #1a2030; --soft: #5b6478; --line: #e2e6ee; --field: #f5f6f9; --accent: #2348c7; --on: #ffffff;
  --good: #14713d; --bad: #b3202a; --warn: #8a5a00; font: 14px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--ink) }
@media (prefers-color-scheme: dark) { :host { --ground: #171b24; --ink: #edf0f6; --soft: #a2abbd; --line: #2b3241;
  --field: #0f131a; --accent: #9db5ff; --on: #10152a; --good: #6fd39a; --bad: #ff8a8f; --warn: #f0c674 } }
* { box-sizing: border-box }
.pill { position: fixed; bottom: 12px; display: flex; align-items: center; gap: 8px; min-height: 32px; padding: 0 12px;
  border: 1px solid var(--line); border-radius: 999px; background: var(--ground); color: var(--ink); font: inherit; font-size: 12px;
  font-weight: 600; cursor: pointer; box-shadow: 0 4px 16px rgb(8 12 24 / 18%) }
.pill::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--accent) }
.count { min-width: 18px; padding: 0 5px; border-radius: 9px; background: var(--warn); color: var(--ground); font-size: 11px; line-height: 18px; text-align: center }
.warnings { margin: 0 0 14px; padding: 8px 12px; border-radius: 9px; background: var(--field); font-size: 12px; list-style: none }
.warnings li:not(:first-child) { margin-top: 6px } .where { color: var(--warn); font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
.top .pill { bottom: auto; top: 12px }
.left .pill { left: 12px } .right .pill { right: 12px }
.panel { position: fixed; bottom: 56px; width: 400px; max-height: min(560px, calc(100dvh - 72px)); display: flex;
  flex-direction: column; overflow: hidden; border: 1px solid var(--line); border-radius: 14px; background: var(--ground);
  box-shadow: 0 24px 64px rgb(8 12 24 / 28%) }
.top .panel { bottom: auto; top: 56px }
.left .panel { left: 12px } .right .panel { right: 12px }
header { display: flex; padding: 8px 8px 0; border-bottom: 1px solid var(--line) }
nav { display: flex; gap: 2px }
header button { flex: none; min-height: 40px; padding: 0 9px; border: 0; border-bottom: 2px solid transparent; border-radius: 6px 6px 0 0;
  background: none; color: var(--soft); font: inherit; font-weight: 550; cursor: pointer }
header button[aria-selected=true] { border-color: var(--accent); color: var(--ink) }
header .corner { margin-inline-start: auto; font-size: 16px }
.body { padding: 14px 16px 16px; overflow: auto; overscroll-behavior: contain }
h2 { margin: 0 0 6px; font-size: 12px; font-weight: 600; color: var(--soft) }
h2:not(:first-child) { margin-top: 16px }
.steps { display: grid; gap: 6px }
.body button { min-height: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--field);
  color: var(--ink); font: inherit; text-align: start; cursor: pointer }
.body button:hover { border-color: var(--soft) }
.body button[aria-current=step] { border-color: var(--accent); font-weight: 600 }
.body button.main { background: var(--accent); border-color: var(--accent); color: var(--on); font-weight: 600; text-align: center }
.grid { display: grid; grid-template-columns: 1fr 1fr; gap: 10px 12px }
.wide { grid-column: 1 / -1 }
label { display: grid; gap: 3px; font-size: 12px; color: var(--soft) }
select, input { width: 100%; min-height: 36px; padding: 4px 8px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--field); color: var(--ink); font: inherit; font-size: 14px }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center }
.note { margin: 8px 0 0; color: var(--soft); font-size: 12px } .note.bad { color: var(--bad) }
dl { display: grid; grid-template-columns: auto 1fr; gap: 3px 14px; margin: 0 }
dt { color: var(--soft) } dd { margin: 0; text-align: end; overflow-wrap: anywhere }
details:first-child > summary { padding-top: 0 }
details { border-bottom: 1px solid var(--line) } details:last-child { border: 0 }
summary { display: flex; flex-wrap: wrap; gap: 0 8px; padding: 7px 0; cursor: pointer; list-style: none;
  font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
summary::-webkit-details-marker { display: none }
summary:hover { background: var(--field); box-shadow: -6px 0 var(--field), 6px 0 var(--field) }
summary .path { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
summary::after { content: "›"; order: 1; padding: 0 4px; color: var(--soft); transform: rotate(90deg) }
details[open] > summary::after { transform: rotate(-90deg) }
summary .time { color: var(--soft) } summary .time:first-child { min-width: 8ch }
summary .type { min-width: 8ch; font-weight: 600 }
summary .brief { order: 2; flex-basis: 100%; padding-inline-start: calc(8ch + 8px); overflow: hidden; color: var(--soft); text-overflow: ellipsis; white-space: nowrap }
summary .brief:empty { display: none }
.authentication:not(:first-child) { margin-top: 20px }
.id { margin: 0 0 4px; color: var(--soft); font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere }
.good { color: var(--good) } .bad { color: var(--bad) }
pre { margin: 0 0 10px; padding: 8px 10px; max-height: 220px; overflow: auto; border-radius: 8px; background: var(--field);
  font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 480px) { .pill[aria-expanded=false] { min-width: 32px; padding: 0 11px } .pill[aria-expanded=false] .name { display: none }
  .panel, .left .panel, .right .panel { left: 8px; right: 8px; width: auto; max-height: 70dvh }
  header { padding: 8px 4px 0 } nav { gap: 0 } header button { padding: 0 7px; font-size: 13px } }
@media print { :host { display: none } }
`
