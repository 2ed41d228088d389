import { startWholeServer } from './wholeServer.ts'

// A process of its own around the whole server, for those that kill it:
// `node serverProcess.ts <owner url> <application url> <mqtt port> [<data folder>]`.
const [ownerUrl = '', applicationUrl = '', mqttPort = '0', dataFolder] = process.argv.slice(2)

const config = dataFolder === undefined ? {} : { dataFolder }
const server = await startWholeServer({ ownerUrl, applicationUrl }, { mqttPort: Number(mqttPort), config })
process.send?.(server.localAddresses)
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1))
