import type { TLSSocket } from 'node:tls'
import type { Config } from './config.ts'
import { type CertificateOptions, openCertificate } from './network/certificate.ts'
import type { Clients } from './network/clients.ts'
import { openTlsDoor } from './network/tlsDoor.ts'

interface TlsSideNeeds extends Pick<CertificateOptions, 'log' | 'now'> {
  readonly config: Config
  readonly tlsKey: string
  readonly tlsCert: string
  readonly clients: Clients
}

export type TlsSide = Awaited<ReturnType<typeof openTlsSide>>

/** The ports that speak TLS, by one certificate. Loaded only where there is one. */
export async function openTlsSide({ config, tlsCert, tlsKey, clients, log, now }: TlsSideNeeds) {
  const certificate = await openCertificate({ certFile: tlsCert, keyFile: tlsKey, log, now })
  const { bindAddress: host, proxyProtocol } = config
  const shared = { certificate, clients, host }
  return {
    certificate,
    openHttps: (onConnection: (socket: TLSSocket) => void) =>
      openTlsDoor(
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
      openTlsDoor(
        { ...shared, port: config.mqttsPort, expectsProxyHeader: proxyProtocol.includes('mqtts'), isKnown },
        onConnection,
      ),
  }
}
