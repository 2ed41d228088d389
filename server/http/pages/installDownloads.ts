import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { readInstallFileName, SUMS_FILE, SUMS_SIGNATURE_FILE } from '#domain/releases/installFiles.ts'
import { refusalOf } from '../call/refusal.ts'
import { createRateLimiter } from '../limits/rateLimits.ts'
import { sendRefusal } from '../perform/sendAnswer.ts'

const SCRIPT = fileURLToPath(new URL('../../../deploy/device/install.sh', import.meta.url))
/** A hundred totems behind one router are installed within a minute, each by four requests. */
const PER_ADDRESS = { uses: 600, perSeconds: 60 }

export const installFolder = (dataFolder: string) => resolve(dataFolder, 'install')

const isOffered = (fileName: string) =>
  [SUMS_FILE, SUMS_SIGNATURE_FILE].includes(fileName) || readInstallFileName(fileName) !== undefined

/**
 * Serves `/install/install.sh` and the packages that it fetches, open to everybody: a new device has no key yet, and
 * nothing in them is secret.
 */
export async function registerInstallDownloads(app: FastifyInstance, dataFolder: string): Promise<void> {
  const admit = createRateLimiter(PER_ADDRESS)
  await app.register(async (own) => {
    own.addHook('onRequest', async (request, reply) => {
      try {
        admit(limitKeyOf(request.clientAddress))
      } catch (error) {
        return sendRefusal(reply, refusalOf(error))
      }
      reply.header('content-security-policy', "default-src 'none'")
    })
    own.route({
      method: ['GET', 'HEAD'],
      url: '/install/install.sh',
      handler: async (_request, reply) =>
        reply
          .header('content-type', 'text/x-shellscript; charset=utf-8')
          .header('cache-control', 'no-cache')
          .send(await readFile(SCRIPT)),
    })
    await own.register(fastifyStatic, {
      root: installFolder(dataFolder),
      prefix: '/install/',
      index: false,
      cacheControl: false,
      decorateReply: false,
      dotfiles: 'ignore',
      allowedPath: (path) => isOffered(path.replace(/^\//, '')),
      setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
    })
  })
}
