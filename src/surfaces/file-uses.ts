import { fileMessagesSeen, fileTemplatesSeen } from '../chats/chats.ts'
import type { FileUses } from '../drive/drive.ts'
import { fileValueConditions, noteParents } from '../entities/entities.ts'
import { fileNotesSeen } from '../notes/notes.ts'

/** The uses of files: on cards, in fields, in chats and their templates (D1). */
export const fileUses: FileUses = async (db, actor) =>
  (
    await Promise.all([
      fileNotesSeen(db, actor, noteParents),
      fileValueConditions(db, actor),
      fileMessagesSeen(db, actor),
      fileTemplatesSeen(db, actor),
    ])
  ).flat()
