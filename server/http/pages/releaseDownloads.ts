import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { releasePath } from '#contract/mqtt/client.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { SHA256_PATTERN } from '#domain/releases/header.ts'
import { CallError, notFound } from '../call/callError.ts'
import { refusalOf } from '../call/refusal.ts'
import { deviceRefusal, type LimitRefusals } from '../limits/LimitRefusals.store.ts'
import { createStreamPlaces } from '../limits/lastingAnswers.ts'
import { createRateLimiter, type RateLimit, RateLimited } from '../limits/rateLimits.ts'
import { sendRefusal } from '../perform/sendAnswer.ts'

export interface ReleaseDownloadDeps {
  /** Checks the guid and key with which the device connects; undefined when they are not valid any more. */
  readonly authenticateDevice: (guid: string, key: Buffer) => Promise<{ readonly deviceId: number } | undefined>
  /** Reads the whole file of a release, undefined when there is none. */
  readonly release: (sha256: string) => Promise<Buffer | undefined>
  readonly rateLimits?: ReleaseDownloadLimits
}

export interface ReleaseDownloadLimits {
  readonly perDevice: RateLimit
  /** Counts wrong credentials of one address; a router may stand before many devices. */
  readonly refusedPerAddress: RateLimit
}

/** A device on a bad line asks for the rest again and again, but not more often than every half second. */
const DEFAULT_LIMITS: ReleaseDownloadLimits = {
  perDevice: { uses: 120, perSeconds: 60 },
  refusedPerAddress: { uses: 300, perSeconds: 60 },
}

/** A device on a bad line asks again while its last answer is still being sent. A whole fleet may share one address. */
const DOWNLOADS = { streamsPerUser: 2, streams: Number.POSITIVE_INFINITY }

const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i
/** Only one range with a beginning is served; any other is answered with the whole file, as RFC 9110 allows. */
const RANGE = /^bytes=(\d{1,12})-(\d{0,12})$/

/** Serves releases to devices (contract/mqtt/client.ts, `releasePath`): the whole file, or the rest of it. */
export function registerReleaseDownloads(
  app: FastifyInstance,
  deps: ReleaseDownloadDeps,
  limitRefusals?: Pick<LimitRefusals, 'note'>,
): void {
  const limits = deps.rateLimits ?? DEFAULT_LIMITS
  const admitDevice = createRateLimiter(limits.perDevice)
  const placeOf = createStreamPlaces(DOWNLOADS)
  const admitRefused = createRateLimiter(limits.refusedPerAddress)

  async function deviceOf(request: FastifyRequest): Promise<number> {
    const credential = credentialOf(request.headers.authorization)
    const device = credential && (await deps.authenticateDevice(credential.guid, credential.key))
    if (device) return device.deviceId
    admitRefused(limitKeyOf(request.clientAddress))
    throw new CallError('sign_in_required', 'Wrong guid or key.')
  }

  app.route<{ Params: { sha256: string } }>({
    method: ['GET', 'HEAD'],
    url: releasePath(':sha256'),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store').header('content-security-policy', "default-src 'none'")
      try {
        const device = String(await deviceOf(request))
        admitDevice(device)
        const { sha256 } = request.params
        const file = SHA256_PATTERN.test(sha256) ? await deps.release(sha256) : undefined
        if (file === undefined) throw notFound()
        const { raw } = reply
        const limitKey = limitKeyOf(request.clientAddress)
        raw.once('close', placeOf({ user: device, limitKey, end: () => raw.destroy() }))
        return sendFile(request, reply, `"${sha256}"`, file)
      } catch (error) {
        if (error instanceof RateLimited) limitRefusals?.note(deviceRefusal(request.clientAddress, 'Release download'))
        return sendRefusal(reply, refusalOf(error), 'Basic realm="devices"')
      }
    },
  })
}

function credentialOf(header: string | undefined): { readonly guid: string; readonly key: Buffer } | undefined {
  const encoded = BASIC.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const colon = bytes.indexOf(':')
  return colon === -1
    ? undefined
    : { guid: bytes.subarray(0, colon).toString('latin1'), key: bytes.subarray(colon + 1) }
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, etag: string, file: Buffer): FastifyReply {
  reply.header('etag', etag).header('accept-ranges', 'bytes').header('content-type', 'text/javascript; charset=utf-8')
  const range = RANGE.exec(headers.range ?? '')
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  if (!range || !isSame) return reply.send(file)
  const [begin, last] = [Number(range[1]), range[2] === '' ? file.length - 1 : Number(range[2])]
  if (last < begin && range[2] !== '') return reply.send(file)
  if (begin >= file.length) return reply.code(416).header('content-range', `bytes */${file.length}`).send()
  const end = Math.min(last, file.length - 1)
  return reply
    .code(206)
    .header('content-range', `bytes ${begin}-${end}/${file.length}`)
    .send(file.subarray(begin, end + 1))
}
