import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import './scanner.css'

interface Props {
  /** It names what is done instead of scanning. */
  readonly cancel: string
  readonly onRead: (text: string) => void
  readonly onCancel: () => void
}

const LOOK_EVERY_MS = 200
/** More pixels take longer and read no better. */
const LONGEST_SIDE = 640

/** It looks for a QR code in what the camera sees; pictures stay in the browser. */
export function QrScanner({ cancel, onRead, onCancel }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const read = useRef(onRead)
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    read.current = onRead
  })
  useEffect(() => {
    const ending = new AbortController()
    const seen = video.current
    if (seen) void watch(seen, (text) => read.current(text), ending.signal).catch(() => setHasFailed(true))
    return () => ending.abort()
  }, [])
  return (
    <div className="scanner">
      {hasFailed ? (
        <FormNote kind="failed" text="The camera cannot be used: allow it for this page." />
      ) : (
        <video ref={video} aria-label="Camera" muted playsInline />
      )}
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
    </div>
  )
}

async function watch(video: HTMLVideoElement, onRead: (text: string) => void, ending: AbortSignal): Promise<void> {
  const { decodeQR } = await import('qr/decode.js')
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  ending.addEventListener('abort', stop)
  if (ending.aborted) return stop()
  video.srcObject = stream
  await video.play()
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d', { willReadFrequently: true })
  while (!ending.aborted && drawing) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight, 1))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (canvas.width === 0 || ending.aborted) continue
    drawing.drawImage(video, 0, 0, canvas.width, canvas.height)
    const text = textIn(decodeQR, drawing.getImageData(0, 0, canvas.width, canvas.height))
    if (text !== undefined) return onRead(text)
  }
}

/** The decoder throws for a picture without a code. */
function textIn(decode: (image: ImageData) => string, image: ImageData): string | undefined {
  try {
    return decode(image)
  } catch {
    return undefined
  }
}
