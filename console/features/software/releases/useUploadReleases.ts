import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { send } from '#console/lib/call/api.ts'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { LARGEST_RELEASE_BYTES, LONGEST_FILE_NAME, uploadRelease } from '#contract/http/software/releases.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import type { RefusedUpload } from './RefusedFiles.tsx'

/** It uploads files one after another, and keeps the server's reasons for those that it refused. */
export function useUploadReleases() {
  const [refused, setRefused] = useState<readonly RefusedUpload[]>([])
  const [isUploading, setIsUploading] = useState(false)

  const upload = async (files: readonly File[]) => {
    if (files.length === 0 || isUploading) return
    setIsUploading(true)
    const found: RefusedUpload[] = []
    for (const file of files) {
      try {
        toasts.success(deviceMessages.releaseUploaded(await uploadOne(file)))
      } catch (failure) {
        found.push({ fileName: file.name, reason: failureMessage(failure) })
      }
    }
    setRefused(found)
    setIsUploading(false)
    await refreshAfter(uploadRelease)
  }

  return {
    upload: (files: readonly File[]) => void upload(files),
    isUploading,
    refused,
    dismiss: () => setRefused([]),
  }
}

/** It returns the version, and throws an error whose message people can read. */
async function uploadOne(file: File): Promise<string> {
  if (file.size === 0) throw new Error('The file is empty.')
  if (file.size > LARGEST_RELEASE_BYTES) {
    throw new Error(`A release has at most ${formatBytes(LARGEST_RELEASE_BYTES)}, this file ${formatBytes(file.size)}.`)
  }
  const body = { fileName: file.name.slice(-LONGEST_FILE_NAME), contentBase64: await readBase64(file) }
  const { version } = await send(uploadRelease, { body })
  return version
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '')
    // A folder can be dropped like a file, but cannot be read.
    reader.onerror = () => reject(new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}
