/** Styles of the timelines, light and dark: one column that also fits a phone. */
export const timelineStyle = `
:root {
  color-scheme: light dark;
  --ground: #fff; --text: #1b2130; --soft: #566076; --line: #d5dae3; --card: #f5f7fa; --strong: #1f5f4a;
  --good: #17663a; --bad: #a61b32; --warn: #7a4b00; --idle: #566076;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161b22; --text: #eef1f6; --soft: #aab3c2; --line: #3a4352; --card: #1e252e; --strong: #7fd1b3;
    --good: #7ee0a8; --bad: #ff9aa6; --warn: #f4c168; --idle: #aab3c2;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 880px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.25; }
p { margin: 0 0 16px; color: var(--soft); }
a { color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 0 20px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ol { list-style: none; margin: 0; padding: 0 0 0 14px; border-left: 2px solid var(--line); }
li { position: relative; margin: 0 0 10px; }
li::before {
  content: ''; position: absolute; left: -20px; top: 17px; width: 10px; height: 10px; border-radius: 50%;
  background: var(--strong); border: 2px solid var(--ground);
}
details, li > a { display: block; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
summary, li > a { min-height: 44px; padding: 9px 14px; }
summary { cursor: pointer; }
li > a { color: inherit; text-decoration: none; }
li > a strong { text-decoration: underline; }
summary strong, li > a strong { margin-right: 8px; }
summary span, summary time, li > a span, li > a time { color: var(--soft); }
summary time, li > a time { float: right; margin-left: 12px; font-variant-numeric: tabular-nums; }
.authenticated, .attempted { --tone: var(--good); }
.failed, .rejected { --tone: var(--bad); }
.cancelled, .timed_out, .unavailable { --tone: var(--warn); }
.pending, .informational { --tone: var(--idle); }
li:is(.authenticated, .attempted, .failed, .rejected, .cancelled, .timed_out, .unavailable, .pending, .informational)::before {
  background: var(--tone);
}
.badge { color: var(--tone, var(--text)); }
.badge::before { content: '●' / ''; margin-inline-end: 6px; }
.amount { font-weight: 600; font-variant-numeric: tabular-nums; }
li > a .amount { margin-inline-end: 8px; color: var(--text); }
form { display: flex; align-items: center; gap: 8px; margin: 12px 0 16px; }
input, button { min-height: 44px; border: 1px solid var(--soft); border-radius: 8px; font: inherit; }
input { flex: 1; min-width: 0; padding: 0 12px; background: transparent; color: inherit; }
input::placeholder { color: var(--soft); opacity: 1; }
button { padding: 0 16px; background: var(--card); color: inherit; cursor: pointer; }
.facts { display: block; overflow-wrap: anywhere; }
pre { margin: 0; padding: 12px 14px; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 480px) { li > a time { float: none; display: block; margin: 0; } }
`
