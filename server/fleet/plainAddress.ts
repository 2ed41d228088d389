import { namesPlace } from '#domain/devices/site.ts'

/**
 * An address in plain letters, by which devices stand together. Undefined where it names no place, also where nothing of
 * it is left in plain letters, as of a filler that nobody sees: all such addresses would be one place.
 *
 * @param placeText what is kept of it; null where its words are not kept yet since it was changed
 */
export async function readPlainAddress(address: string, placeText: string | null): Promise<string | undefined> {
  if (!namesPlace(address)) return undefined
  const plain = placeText ?? (await toPlainAddress(address))
  return plain.trim() === '' ? undefined : plain
}

/** As devices keep it in `place_text`. */
async function toPlainAddress(address: string): Promise<string> {
  // Half a megabyte of letters that a server at rest does without.
  const { placeText } = await import('#domain/devices/searchText.ts')
  return placeText(address)
}
