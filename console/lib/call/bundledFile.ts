/** A file that the build put beside the program: data that is read late, and in parts. */
export async function readBundledJson<Content>(address: string): Promise<Content> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return (await answer.json()) as Content
}
