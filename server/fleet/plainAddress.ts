import { namesPlace } from '#domain/devices/site.ts'

/**
 * Returns an address in plain letters, by which devices are at one place. Undefined where it names no place, also where
 * no plain letter is left, as in an invisible filler: all such addresses would be one place.
 *
 * @param placeText the stored text; null while a changed address is not folded yet
 */
export async function readPlainAddress(address: string, placeText: string | null): Promise<string | undefined> {
  if (!namesPlace(address)) return undefined
  const plain = placeText ?? (await toPlainAddress(address))
  return plain.trim() === '' ? undefined : plain
}

/** Folds an address as `place_text` stores it. */
async function toPlainAddress(address: string): Promise<string> {
  // It loads late, because an idle server does without its half megabyte of letters.
  const { placeText } = await import('#domain/devices/searchText.ts')
  return placeText(address)
}
