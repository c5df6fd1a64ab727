import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cachedBriefly } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { createStreams } from '../../events/events.ts'
import { BYTE_ORDER_MARK } from '../../http/bodies/csv.ts'
import { delimiterOf, headingsOf, isForSpreadsheet } from '../../http/bodies/forms.ts'
import { type Access, loadAccess } from '../records/access.ts'
import { type Export, exportRecords, requireExport } from './export.ts'

const types = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/** Sends a list as a file, reading and writing one page at a time; a slow client slows down the reading. */
export function sendRecords(ctx: Context, v4: FastifyInstance) {
  const streams = createStreams(ctx, 'exports')
  v4.addHook('preClose', async () => streams.end())

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    list: Omit<Export, 'delimiter' | 'headings'>,
    /** An additional permission check, before and during the export. */
    requireOpen: (access: Access) => void | Promise<void>,
  ) => {
    const asked: Export = { ...list, delimiter: delimiterOf(request), headings: headingsOf(request) }
    const access = await loadAccess(ctx.db, request.actor)
    await requireOpen(access)
    requireExport(access, asked)
    const write = await exportRecords(ctx, access, asked)
    const current = cachedBriefly(
      ctx,
      async () => {
        const renewed = await loadAccess(ctx.db, await request.renewActor())
        await requireOpen(renewed)
        return renewed
      },
      access,
    )
    const mark = asked.form === 'csv' && isForSpreadsheet(request) ? BYTE_ORDER_MARK : ''
    const texts = async function* (signal: AbortSignal) {
      if (mark !== '') yield mark
      yield* write(current, signal)
    }
    const name = asked.catalog_id === undefined ? asked.type : `list-${asked.catalog_id}`
    const body = await streams.begin(request.actor, reply.raw, texts)
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .header('content-disposition', `attachment; filename="${name}.${asked.form}"`)
      .type(types[asked.form])
      .send(body)
  }
}
