import { withoutEnd } from '#domain/texts/withoutEnd.ts'

const LONGEST_FILE_NAME = 100

/**
 * Keeps letters of any script, and replaces what a file system, a shell or a header could take for more than a name.
 */
export function safeFileName(text: string): string {
  const safe = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._-]/gu, '_')
    .replace(/\.{2,}/g, '_')
    .replace(/^[ ._-]+/, '')
  return [...withoutEnd(safe, ' .')].slice(0, LONGEST_FILE_NAME).join('') || 'file'
}

/** Formats `content-disposition` by RFC 6266: a plain name for old clients, and the real one in UTF-8. */
export function attachmentHeader(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
