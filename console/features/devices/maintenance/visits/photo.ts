const LONGEST_SIDE_PX = 1600
/** A browser writes nothing but the picture; the first quality whose picture is small enough is taken. */
const QUALITIES = [0.8, 0.6, 0.4]
const LARGEST_BYTES = 1_000_000

/**
 * Draws a photo anew, smaller and without its place, time and camera, as a JPEG in base64.
 * @throws Error with a sentence when the file is no picture that this browser can read
 */
export async function drawnAnew(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('This file is no picture that the browser can read.')
  })
  const factor = Math.min(1, LONGEST_SIDE_PX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * factor))
  canvas.height = Math.max(1, Math.round(picture.height * factor))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  for (const quality of QUALITIES) {
    const text = canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? ''
    if (text.length * 0.75 <= LARGEST_BYTES || quality === QUALITIES.at(-1)) return text
  }
  return ''
}
