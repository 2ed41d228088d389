/** An address as devices keep it in `place_text`, for one whose words are not kept yet since it was changed. */
export async function toPlainAddress(address: string): Promise<string> {
  // Half a megabyte of letters that a server at rest does without.
  const { placeText } = await import('#domain/devices/searchText.ts')
  return placeText(address)
}
