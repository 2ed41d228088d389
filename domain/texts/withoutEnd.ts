/**
 * Removes these characters from the end of a text. The pattern `/[signs]+$/` begins anew at each of them, so that a
 * hostile text of 64 kB would keep a server busy for seconds.
 */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
