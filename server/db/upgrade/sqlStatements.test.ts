import { expect, test } from 'vitest'
import { statementTexts } from './sqlStatements.ts'

test('statements end at semicolons that are no part of texts, bodies or comments', () => {
  const statements = [
    `-- expand: one; two
create table "odd;name" (words text default 'it''s; so')`,
    `
create function f() returns void language plpgsql as $body$ begin perform 1; perform '$$'; end $body$`,
    `
/* not; here */ select $1`,
  ]
  expect(statementTexts(`${statements.join(';')};\n-- the end;\n`)).toEqual(statements)
})
