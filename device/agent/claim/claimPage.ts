import encodeQR from 'qr'

export interface Shown {
  readonly title: string
  readonly text: string
  /** The code and the address of the page where it is typed. */
  readonly code?: { readonly text: string; readonly address: string } | undefined
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '')

/** The page reads itself again, because nothing serves it. */
const REFRESH_SECONDS = 5
const STYLE = `body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;
gap:3vmin;background:#fff;color:#111;font:3vmin sans-serif;text-align:center}h1{margin:0;font-size:5vmin}
p{margin:0;max-width:80vmin}svg{width:40vmin;height:40vmin}strong{font:700 12vmin monospace;letter-spacing:.05em}`

/** Writes what the display of a device shows that waits to be claimed: one file that any browser opens. */
export function claimPage({ title, text, code }: Shown): string {
  const qr = code === undefined ? '' : encodeQR(code.address, 'svg', { ecc: 'medium', border: 4 })
  const shown = code === undefined ? '' : `${qr}<strong>${escaped(code.text)}</strong><p>${escaped(code.address)}</p>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>${escaped(title)}</title><style>${STYLE}</style><body><h1>${escaped(title)}</h1>${shown}<p>${escaped(text)}</p></body></html>
`
}

/** The same for a log or a terminal; the QR code is drawn with block characters. */
export function claimLines({ title, text, code }: Shown): readonly string[] {
  if (code === undefined) return [`${title}. ${text}`]
  const qr = encodeQR(code.address, 'ascii', { ecc: 'low', border: 2 }).trimEnd().split('\n')
  return [`${title}: ${code.text} at ${code.address}. ${text}`, ...qr]
}
