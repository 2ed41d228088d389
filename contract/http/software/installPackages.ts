import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { ARCHITECTURES, PACKAGE_FORMS } from '#domain/releases/installFiles.ts'

export const installPackages = z.object({
  /** Empty while the server offers none. */
  files: z.array(
    z.object({
      fileName: z.string(),
      version: z.string(),
      architecture: z.enum(ARCHITECTURES),
      form: z.enum(PACKAGE_FORMS),
      bytes: z.number().int(),
      sha256: z.string(),
    }),
  ),
  /** The public key that signed the list of packages, base64 of its 32 bytes; null while none is offered. */
  releaseKey: z.string().nullable(),
  /** The reason why packages that are there are not offered. */
  refusal: z.string().nullable(),
  /** Devices reach the server here. */
  serverUrl: z.string(),
})
export type InstallPackages = z.output<typeof installPackages>

export const getInstallPackages = call({
  method: 'GET',
  path: 'Release/GetInstallPackages',
  summary: 'The packages that install the client on a new device, and the release key that signed them.',
  permission: 'createDevice',
  shows: [],
  answer: installPackages,
})
