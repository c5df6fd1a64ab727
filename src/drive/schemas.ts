import { type Static, type TSchema, Type } from 'typebox'
import { Self } from '../http/hal.ts'
import { AlwaysNull } from '../http/published.ts'
import { KeysetList, KeysetPaged } from '../http/queries/paging.ts'
import { fileKinds } from './file-kinds.ts'

const Id = Type.Integer()
const Uuid = Type.String({ minLength: 1, maxLength: 64 })
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Href = Type.Object({ href: Type.String() })

/** The person who changed a file, directly or through an integration. */
const By = Type.Object({
  id: Type.Integer({ description: 'The id of the user.' }),
  type: Type.Literal('internal', { description: 'Always `internal`.' }),
})

const Metadata = Type.Object({ extension: Type.String(), mime_type: Type.String() })
const Previews = nullable(
  Type.Array(
    Type.Object({
      download_link: Type.String(),
      width: Type.Integer({ description: 'Pixels.' }),
      height: Type.Integer({ description: 'Pixels.' }),
    }),
    { description: 'Smaller pictures of a picture. Null: the file has none.' },
  ),
)
const Kind = Type.Enum([...fileKinds], { description: 'By the content of the file.' })

/** A file in responses (docs/wire/files.md). The data of its bytes is that of the active version. */
export const File = Type.Object(
  {
    id: Id,
    uuid: Type.String({ description: 'The id of the file in requests.' }),
    type: Kind,
    is_trashed: Type.Boolean(),
    name: Type.String(),
    sanitized_name: Type.String(),
    size: Type.Integer(),
    source_id: AlwaysNull,
    version_uuid: Type.String(),
    has_multiple_versions: Type.Boolean(),
    created_at: Type.Integer(),
    created_by: By,
    updated_at: Type.Integer(),
    updated_by: By,
    deleted_at: nullable(Type.Integer()),
    deleted_by: Type.Union([By, Type.Null()], { description: 'Null: not deleted.' }),
    metadata: Metadata,
    previews: Previews,
    _links: Type.Object({ self: Href, download: Href, download_version: Href }),
  },
  { title: 'StoredFile' },
)
export type File = Static<typeof File>

/** A version of a file. The trash state and the other versions are those of its file. */
export const FileVersion = Type.Object(
  {
    uuid: Type.String({ description: 'The id of the version.' }),
    file_uuid: Type.String(),
    type: Kind,
    is_trashed: Type.Boolean(),
    name: Type.String(),
    sanitized_name: Type.String(),
    size: Type.Integer(),
    is_main: Type.Boolean({ description: 'Whether it is the active version.' }),
    source_id: AlwaysNull,
    version_uuid: Type.String(),
    has_multiple_versions: Type.Boolean(),
    created_at: Type.Integer(),
    created_by: By,
    updated_at: Type.Integer(),
    updated_by: By,
    deleted_at: nullable(Type.Integer()),
    deleted_by: Type.Union([By, Type.Null()], { description: 'Null: not deleted.' }),
    metadata: Metadata,
    previews: Previews,
    _links: Type.Object({ self: Href, download: Href }),
  },
  { title: 'FileVersion' },
)
export type FileVersion = Static<typeof FileVersion>

const _count = Type.Integer({ description: 'The number of files on the page.' })

export const FileList = Type.Object({ _count, ...KeysetList('files', File).properties })
export const Files = Type.Object({
  _count,
  _links: Self,
  _embedded: Type.Object({ files: Type.Array(File) }),
})
export const FileVersions = Type.Object({
  _count,
  _links: Self,
  _embedded: Type.Object({ versions: Type.Array(FileVersion) }),
})

export { KeysetPaged as FileQuery }

/** The bytes of an account's files: older versions, the trash and open uploads count too. */
export const FileSpace = Type.Object(
  { used_bytes: Type.Integer(), limit_bytes: Type.Integer() },
  { title: 'FileSpace' },
)
export type FileSpace = Static<typeof FileSpace>

export const NewSession = Type.Object({
  file_name: Name,
  file_size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  content_type: Type.Optional(
    nullable(
      Type.String({ maxLength: 255, pattern: "^$|^[\\w!#$&^.+'-]+/[\\w!#$&^.+'-]+\\s*(;[\\x20-\\x7e]*)?$" }),
    ),
  ),
  file_uuid: Type.Optional(
    nullable(
      Type.String({ ...Uuid, description: 'The file that gets a new version. Without it, the file is new.' }),
    ),
  ),
  with_preview: Type.Optional(
    nullable(Type.Boolean({ description: 'Whether to create previews of a picture.' })),
  ),
})
export type NewSession = Static<typeof NewSession>

export const Session = Type.Object(
  {
    max_file_size: Type.Integer(),
    max_part_size: Type.Integer(),
    session_id: Type.Integer({ description: 'The id of the upload.' }),
    upload_url: Type.String({ description: 'The address of the first part.' }),
  },
  { title: 'UploadSession' },
)

/** The response to a part: the URL of the next one. After the last part, the response is the file. */
const NextPart = Type.Object(
  {
    session_id: Type.Integer({ description: 'The id of the upload.' }),
    next_url: Type.String({ description: 'The address of the next part.' }),
    max_part_size: Type.Integer(),
  },
  { title: 'NextPart' },
)
export const TakenPart = Type.Union([NextPart, File])

export const PartPath = Type.Object({
  token: Type.String({ maxLength: 64 }),
  start: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})

export const ByUuid = Type.Object({ uuid: Uuid })
export const ByVersion = Type.Object({ uuid: Uuid, version_uuid: Uuid })
export const FilePatch = Type.Object(
  {
    name: Type.Optional(Name),
    version_uuid: Type.Optional(
      Type.String({ ...Uuid, description: 'The version that becomes the active one.' }),
    ),
  },
  {
    description: 'A new name, or the version to activate. With a name, only the active version is accepted.',
  },
)
export type FilePatch = Static<typeof FilePatch>
export const NamedFiles = Type.Array(ByUuid, { title: 'NamedFiles', minItems: 1, maxItems: 250 })

export const LinkPath = Type.Object({
  account_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  file_uuid: Uuid,
  what: Type.String({ maxLength: 64 }),
  expires: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  signature: Type.String({ maxLength: 64 }),
})
export type LinkPath = Static<typeof LinkPath>
