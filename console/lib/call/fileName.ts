/** It reads the file name of a content-disposition (RFC 6266), the encoded form before the plain one. */
export function fileNameOf(contentDisposition: string | null): string | undefined {
  if (!contentDisposition) return undefined
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(contentDisposition)?.[1]
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(contentDisposition)
  const name = decoded(encoded) ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]
  return name === undefined ? undefined : safeName(name)
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A download must never name a folder, whatever the server sent. */
function safeName(name: string): string | undefined {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? ''
  return last === '' || last === '.' || last === '..' ? undefined : last
}
