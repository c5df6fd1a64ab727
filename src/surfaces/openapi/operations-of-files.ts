import type { OperationMetadata, OperationsMetadata } from './metadata.ts'
import { choices, ids, one, orders, type QueryParameter, spans, texts } from './query-parameters.ts'

const anyOf = (name: string): QueryParameter[] =>
  choices(name, []).map((parameter) => ({
    ...parameter,
    schema: { type: 'array', items: { type: 'string' } },
  }))

/** The bytes of a file, whole or in part, under its own type. */
const download = (summary: string): OperationMetadata => ({
  summary,
  headers: {
    Range: { description: 'A part of it, as `bytes=0-1023`.' },
    'If-None-Match': { description: 'The ETag of a copy that the caller has.' },
  },
  answers: {
    200: { description: 'The file.', content: { '*/*': 'Its bytes.' } },
    206: { description: 'The part that was asked for.', content: { '*/*': 'Its bytes.' } },
    304: { description: 'The copy is as new.' },
    416: { description: 'The file has no such part.', problem: true },
  },
})

/** The file service. */
export const toldOfFiles: OperationsMetadata = {
  'GET /drive/v1.0/files': {
    summary: 'Lists the files of the account, filtered and in order, a page at a time.',
    query: [
      ...anyOf('uuid'),
      ...texts('name', 'term'),
      ...anyOf('extensions'),
      ...ids('created_by', 'updated_by'),
      ...spans('size', 'date'),
      ...one('filter[size][unit]', { type: 'integer' }, 'Bytes that a size counts.'),
      ...one('filter[date][type]', { type: 'string', enum: ['created_at', 'updated_at'] }),
      ...one('filter[deleted]', { type: 'boolean' }, 'Those in the trash instead.'),
      ...orders('created_at', 'updated_at', 'size', 'id'),
    ],
  },
  'GET /drive/v1.0/files/{uuid}': 'Shows one file.',
  'PATCH /drive/v1.0/files/{uuid}': 'Renames one file, or makes another version the active one.',
  'DELETE /drive/v1.0/files': 'Moves files to the trash, all of them or none.',
  'POST /drive/v1.0/files/restore': 'Takes files out of the trash, all of them or none.',
  'GET /drive/v1.0/files/{uuid}/versions': 'Lists the versions of one file.',
  'GET /drive/v1.0/files/{uuid}/versions/{version_uuid}': 'Shows one version of one file.',
  'GET /drive/v1.0/files/{uuid}/download': download('Sends one file.'),
  'GET /drive/v1.0/files/{uuid}/versions/{version_uuid}/download': download('Sends one version of one file.'),
  'GET /drive/download/{account_id}/{file_uuid}/{what}/{expires}/{signature}/{name}': {
    ...download('Sends one file, or a preview of it, to whoever has the link.'),
    security: [],
  },
  'POST /drive/v1.0/sessions': 'Begins the upload of one file.',
  'DELETE /drive/v1.0/sessions/upload/{token}/{start}': {
    summary: 'Gives up one upload: what was sent of it goes, and it counts no more (ours).',
    description: '`start` may be any number.',
  },
  'POST /drive/v1.0/sessions/upload/{token}/{start}': {
    summary: 'Takes the next part of an upload; with the last one the file is there.',
    body: { 'application/octet-stream': { type: 'string', format: 'binary' } },
  },
}
