import type { TLSSocket } from 'node:tls'
import { type CertificateOptions, openCertificate } from '../network/certificate.ts'
import type { Clients } from '../network/clients.ts'
import { openTlsPorts } from '../network/tlsPorts.ts'
import type { Config } from '../settings/config.ts'

interface TlsListenerDeps extends Pick<CertificateOptions, 'log' | 'now'> {
  readonly config: Config
  readonly tlsKey: string
  readonly tlsCert: string
  readonly clients: Clients
}

export type TlsListener = Awaited<ReturnType<typeof openTlsListener>>

/** Opens the ports that speak TLS, with one certificate. It is loaded only where there is one. */
export async function openTlsListener({ config, tlsCert, tlsKey, clients, log, now }: TlsListenerDeps) {
  const certificate = await openCertificate({ certFile: tlsCert, keyFile: tlsKey, log, now })
  const { bindAddress: host, proxyProtocol } = config
  const shared = { certificate, clients, host }
  return {
    certificate,
    openHttps: (onConnection: (socket: TLSSocket) => void) =>
      openTlsPorts(
        {
          ...shared,
          port: config.httpsPort,
          expectsProxyHeader: proxyProtocol.includes('https'),
          // Browsers offer HTTP/2 beside it.
          protocols: ['http/1.1'],
        },
        onConnection,
      ),
    openMqtts: (onConnection: (socket: TLSSocket) => void, isKnown: (limitKey: string) => boolean) =>
      openTlsPorts(
        { ...shared, port: config.mqttsPort, expectsProxyHeader: proxyProtocol.includes('mqtts'), isKnown },
        onConnection,
      ),
  }
}
