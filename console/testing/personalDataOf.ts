import { type PersonalData, personalData } from '#contract/http/people/personalData.ts'

export const personalDataOf = (username: string): PersonalData =>
  personalData.parse({
    ...Object.fromEntries(Object.keys(personalData.shape).map((part) => [part, []])),
    made: '2026-11-21T10:00:00.000Z',
    account: [{ username }],
  })
