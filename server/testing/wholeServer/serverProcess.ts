import { startWholeServer } from './wholeServer.ts'

// Tests kill this process around the whole server: `node serverProcess.ts <owner url> <application url> <mqtt port>
// [<data folder>]`.
const [ownerUrl = '', applicationUrl = '', mqttPort = '0', dataFolder] = process.argv.slice(2)

const config = dataFolder === undefined ? {} : { dataFolder }
const server = await startWholeServer({ ownerUrl, applicationUrl }, { mqttPort: Number(mqttPort), config })
process.send?.(server.localAddresses)
// The process that started this one is gone.
process.once('disconnect', () => process.exit(1))
