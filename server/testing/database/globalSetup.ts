import type { TestProject } from 'vitest/node'
import { judgeRun } from '../distributed/judgeRun.ts'
import { startDatabaseRun } from './databaseRun.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseDoor: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { door, stop } = await startDatabaseRun()
  project.provide('databaseDoor', door)
  return async () => {
    try {
      const ran = project.vitest.state.getFiles().filter((file) => file.projectName === project.name).length
      await judgeRun(door, ran === (await project.globTestFiles()).testFiles.length)
    } catch (error) {
      // Vitest prints what goes wrong after the last test, and calls the run passed.
      process.exitCode = 1
      throw error
    } finally {
      await stop()
    }
  }
}
