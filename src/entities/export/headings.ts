import { inLanguage, type Language, type Words } from '../../events/event-types.ts'

/** The names of the columns of an export for people. An import recognizes those that it can write. */
const headings: Record<string, Words> = {
  id: ['ID', 'ID', 'ID', 'ID'],
  name: ['Name', 'Nombre', 'Название', 'Nome'],
  first_name: ['First name', 'Nombre de pila', 'Имя', 'Primeiro nome'],
  last_name: ['Last name', 'Apellidos', 'Фамилия', 'Sobrenome'],
  price: ['Sale', 'Venta', 'Бюджет', 'Venda'],
  pipeline: ['Pipeline', 'Embudo', 'Воронка', 'Funil'],
  status: ['Stage', 'Etapa', 'Этап', 'Etapa'],
  next_price: ['Expected amount', 'Importe previsto', 'Ожидаемая сумма', 'Valor previsto'],
  next_date: ['Next purchase', 'Próxima compra', 'Следующая покупка', 'Próxima compra'],
  ltv: ['Total purchases', 'Total de compras', 'Сумма покупок', 'Total de compras'],
  purchases_count: ['Purchases', 'Compras', 'Число покупок', 'Compras'],
  responsible_user: ['Responsible', 'Responsable', 'Ответственный', 'Responsável'],
  tags: ['Tags', 'Etiquetas', 'Теги', 'Etiquetas'],
  created_at: ['Created', 'Creado', 'Создано', 'Criado'],
  created_by: ['Created by', 'Creado por', 'Кем создано', 'Criado por'],
  updated_at: ['Updated', 'Modificado', 'Изменено', 'Alterado'],
  updated_by: ['Updated by', 'Modificado por', 'Кем изменено', 'Alterado por'],
  closed_at: ['Closed', 'Cerrado', 'Закрыто', 'Fechado'],
  loss_reason: ['Loss reason', 'Motivo de pérdida', 'Причина отказа', 'Motivo de perda'],
}

/** The heading of a column: in a language, or its API name. */
export const headingOf = (column: string, language: Language | null): string =>
  language && headings[column] ? inLanguage(headings[column], language) : column
