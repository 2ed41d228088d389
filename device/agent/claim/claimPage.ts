import encodeQR from 'qr'

export interface Shown {
  readonly title: string
  readonly text: string
  /** What tells this device from others, as its label says it. */
  readonly device: string
  /** The code and the address of the page where it is typed. */
  readonly code?: { readonly text: string; readonly address: string } | undefined
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '')

/** The page reads itself again, because nothing serves it. */
const REFRESH_SECONDS = 5
/** Sizes follow the shorter side, so that upright and lying displays are read from the same distance. */
const STYLE = `*{box-sizing:border-box;margin:0}
:root{color-scheme:light dark}
body{min-height:100vh;padding:5vmin;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:4vmin;
background:#fff;color:#161616;font:3.2vmin/1.35 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere}
main{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:5vmin;flex:1;max-width:100%}
section{display:flex;flex-direction:column;align-items:center;gap:2.5vmin;max-width:100%}
h1{font-size:6vmin;line-height:1.2;text-wrap:balance}
p{max-width:80vmin;text-wrap:balance}
.code{font:700 14vmin/1 ui-monospace,monospace;letter-spacing:.03em;white-space:nowrap}
.dim{color:#666}
svg{width:74vmin;height:74vmin;background:#fff;border-radius:2vmin}
@media (orientation:landscape){main.has-code{flex-direction:row;gap:6vmin}.has-code section{max-width:78vmin}
.has-code .code{font-size:13vmin}}
@media (prefers-color-scheme:dark){body{background:#111;color:#f2f2f2}.dim{color:#a6a6a6}}`

/** Writes what the display of a device shows that waits to be claimed: one file that any browser opens. */
export function claimPage({ title, text, code, device }: Shown): string {
  const qr = code === undefined ? '' : encodeQR(code.address, 'svg', { ecc: 'medium', border: 4 })
  const typed = code === undefined ? '' : `<p class="code">${escaped(code.text)}</p>`
  const at = code === undefined ? '' : `<p class="dim">${escaped(code.address)}</p>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style>
<body><main${code === undefined ? '' : ' class="has-code"'}>${qr}<section><h1>${escaped(title)}</h1>${typed}<p>${escaped(text)}</p>${at}</section></main>
<footer class="dim">${escaped(device)}</footer></body></html>
`
}

/** The same for a log or a terminal; the QR code is drawn with block characters. */
export function claimLines({ title, text, code }: Omit<Shown, 'device'>): readonly string[] {
  if (code === undefined) return [`${title}. ${text}`]
  const qr = encodeQR(code.address, 'ascii', { ecc: 'low', border: 2 }).trimEnd().split('\n')
  return [`${title}: ${code.text} at ${code.address}. ${text}`, ...qr]
}
