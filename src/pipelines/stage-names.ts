/** The names of stages in a new account, in its language. */
export interface StageNames {
  pipeline: string
  unsorted: string
  /** The own stages of a pipeline without stages. */
  own: readonly string[]
  won: string
  lost: string
  loss_reasons: readonly string[]
  customer_statuses: readonly string[]
}

const names: Record<string, StageNames> = {
  en: {
    pipeline: 'Sales',
    unsorted: 'Incoming leads',
    own: ['Initial contact', 'Discussions', 'Decision making', 'Contract discussion'],
    won: 'Closed - won',
    lost: 'Closed - lost',
    loss_reasons: ['No need any more', 'Too expensive', 'Terms did not suit', 'Chose a competitor'],
    customer_statuses: ['Recently bought', 'Purchase expected', 'Purchase overdue'],
  },
  es: {
    pipeline: 'Ventas',
    unsorted: 'Leads entrantes',
    own: ['Contacto inicial', 'Negociación', 'Toma de decisión', 'Discusión del contrato'],
    won: 'Logrado con éxito',
    lost: 'Venta perdida',
    loss_reasons: [
      'Ya no hay necesidad',
      'Demasiado caro',
      'No convencieron las condiciones',
      'Eligió a la competencia',
    ],
    customer_statuses: ['Compró hace poco', 'Se espera una compra', 'Compra atrasada'],
  },
  ru: {
    pipeline: 'Воронка',
    unsorted: 'Неразобранное',
    own: ['Первичный контакт', 'Переговоры', 'Принимают решение', 'Согласование договора'],
    won: 'Успешно реализовано',
    lost: 'Закрыто и не реализовано',
    loss_reasons: ['Пропала потребность', 'Слишком дорого', 'Не устроили условия', 'Выбрали конкурентов'],
    customer_statuses: ['Недавно купили', 'Ожидается покупка', 'Покупка просрочена'],
  },
  pt: {
    pipeline: 'Vendas',
    unsorted: 'Leads de entrada',
    own: ['Contato inicial', 'Negociação', 'Tomada de decisão', 'Discussão do contrato'],
    won: 'Fechado - ganho',
    lost: 'Fechado - perdido',
    loss_reasons: [
      'Não há mais necessidade',
      'Caro demais',
      'As condições não agradaram',
      'Escolheu um concorrente',
    ],
    customer_statuses: ['Comprou recentemente', 'Compra esperada', 'Compra atrasada'],
  },
}

export const inLanguage = (language: string): StageNames => names[language] ?? (names.en as StageNames)
