/** The processors for which the client is packed, in Debian's words. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

/** A Debian package, or an archive of the same files for every other Linux. */
export const PACKAGE_FORMS = ['deb', 'tar.xz'] as const
export type PackageForm = (typeof PACKAGE_FORMS)[number]

export interface InstallPackage {
  readonly version: string
  readonly architecture: Architecture
  readonly form: PackageForm
}

/** Lists the packages with their SHA-256, as `sha256sum` writes and checks it. */
export const SUMS_FILE = 'SHA256SUMS'
/** The release key's Ed25519 signature of that list: its 64 bytes as base64. */
export const SUMS_SIGNATURE_FILE = 'SHA256SUMS.sig'

const NAME = /^wayside-client_(\d{1,6}\.\d{1,6}\.\d{1,6})_(amd64|arm64)\.(deb|tar\.xz)$/
const LINE = /^([0-9a-f]{64}) {2}([\w.-]{1,100})$/

export const installFileName = ({ version, architecture, form }: InstallPackage) =>
  `wayside-client_${version}_${architecture}.${form}`

export function readInstallFileName(fileName: string): InstallPackage | undefined {
  const [, version, architecture, form] = NAME.exec(fileName) ?? []
  if (version === undefined) return undefined
  return { version, architecture: architecture as Architecture, form: form as PackageForm }
}

export const sumsText = (files: readonly { readonly fileName: string; readonly sha256: string }[]) =>
  files.map(({ fileName, sha256 }) => `${sha256}  ${fileName}\n`).join('')

/** Returns undefined unless each line names a package in the one form that `sumsText` writes. */
export function readSums(text: string) {
  const files = text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const [, sha256, fileName = ''] = LINE.exec(line) ?? []
      const described = readInstallFileName(fileName)
      return sha256 === undefined || !described ? [] : [{ fileName, sha256, ...described }]
    })
  return files.length > 0 && sumsText(files) === text ? files : undefined
}
