const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text from outside as HTML that shows it and nothing else. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

/** @param body HTML whose texts are escaped; `why` the mail came, as text */
export const mailPage = (body: string, why: string) =>
  `<!doctype html><html lang="en"><body style="font-family:sans-serif">${body}<hr><p><small>${escaped(why)}</small></p></body></html>`
