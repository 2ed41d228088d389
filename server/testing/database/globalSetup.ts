import type { TestProject } from 'vitest/node'
import { startDatabaseRun } from './databaseRun.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseDoor: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { door, stop } = await startDatabaseRun()
  project.provide('databaseDoor', door)
  return stop
}
