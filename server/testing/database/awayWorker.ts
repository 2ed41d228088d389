import type { DeviceId } from '#domain/ids.ts'

interface AwayWorker {
  /** The worker that is away keeps this device. */
  readonly away: DeviceId
  readonly other: DeviceId
  /** A row of the first device cannot be inserted there until the worker is back. */
  readonly table: string
}

/** The part of Citus that is asked, and a worker that refuses whatever names its device. */
export const awayWorkerSql = ({ away, other, table }: AwayWorker) => `
  create table pg_dist_node (nodename text, nodeport integer, groupid integer);
  create table pg_dist_placement (shardid bigint, groupid integer);
  create table is_back (at timestamptz);
  insert into pg_dist_node values ('10.0.5.11', 5432, 1), ('10.0.5.12', 5432, 2);
  insert into pg_dist_placement values (${away}, 1), (${other}, 2);
  create function get_shard_id_for_distribution_column(text, integer) returns bigint return $2;
  create function citus_check_connection_to_node(text, integer) returns boolean return exists (select from is_back);
  create function refuse() returns trigger language plpgsql as $$ begin
    if new.device_id = ${away} and not exists (select from is_back) then
      raise 'connection to the remote node wayside_app@10.0.5.11:5432 failed with the following error: no route'
        using errcode = '08006';
    end if;
    return new;
  end $$;
  create trigger refuse before insert on ${table} for each row execute function refuse();
  grant select on pg_dist_node, pg_dist_placement, is_back to public`

export const WORKER_IS_BACK_SQL = 'insert into is_back values (now())'
