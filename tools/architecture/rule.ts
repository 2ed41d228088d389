import type { Project } from './project.ts'

export type Offence = Readonly<{ path: string; line: number; what: string }>

/** A rule about the source; offenders read `why`. */
export type ArchitectureRule = Readonly<{
  name: string
  why: string
  offences: (project: Project) => readonly Offence[]
}>
