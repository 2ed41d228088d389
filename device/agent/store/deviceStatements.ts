import type { DatabaseSync } from 'node:sqlite'

export type Statements = ReturnType<typeof createStatements>
const prepared = new WeakMap<DatabaseSync, Statements>()

/** Prepares once for all devices of a file. */
export function prepareStatements(database: DatabaseSync): Statements {
  const known = prepared.get(database) ?? createStatements(database)
  prepared.set(database, known)
  return known
}

function createStatements(database: DatabaseSync) {
  return {
    insert: database.prepare('insert into unsent (device_id, topic, payload) values (?, ?, ?)'),
    remove: database.prepare('delete from unsent where id = ?'),
    keepUnplaced: database.prepare('insert into unplaced (id, device_id, epoch, steady_ms) values (?, ?, ?, ?)'),
    unplaced: database.prepare(
      `select id, topic, payload, steady_ms from unplaced p join unsent u using (id)
       where p.device_id = ? and epoch = ? order by id`,
    ),
    rewrite: database.prepare('update unsent set payload = ? where id = ?'),
    forgetUnplaced: database.prepare('delete from unplaced where device_id = ?'),
    unsent: database.prepare('select id, payload from unsent where device_id = ? and topic = ? and id > ? order by id'),
    nextTopic: database.prepare('select min(topic) as topic from unsent where device_id = ? and topic > ?'),
    keepTime: database.prepare(
      `insert into used_time values (?, ?, ?, ?)
       on conflict do update set at_ms = excluded.at_ms, era = excluded.era`,
    ),
    findTime: database.prepare('select at_ms, era from used_time where device_id = ? and topic = ?'),
    recordCommand: database.prepare(
      'insert into seen_command (device_id, id, forget_at_ms) values (?, ?, ?) on conflict do nothing',
    ),
    forgetCommands: database.prepare('delete from seen_command where device_id = ? and forget_at_ms < ?'),
    keepReply: database.prepare('update seen_command set reply = ? where device_id = ? and id = ?'),
    findReply: database.prepare('select reply from seen_command where device_id = ? and id = ?'),
    remember: database.prepare(
      'insert into remembered values (?, ?, ?) on conflict do update set value = excluded.value',
    ),
    findRemembered: database.prepare('select value from remembered where device_id = ? and name = ?'),
  }
}
