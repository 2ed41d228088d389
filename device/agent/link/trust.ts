import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ConfigurationError } from '../store/configuration.ts'

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Makes every later connection of this program trust these certificates too, both MQTT and downloads. */
export function trustAlso(file: string, certificates: string | undefined): void {
  if (certificates === undefined) return
  const parts = certificates.match(PEM_CERTIFICATE) ?? []
  if (parts.length === 0 || !parts.every(isCertificate)) {
    throw new ConfigurationError(`${file}: field "trustedCertificates" holds no whole certificates in PEM.`)
  }
  setDefaultCACertificates([...getCACertificates('default'), ...parts])
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
