export function formatMoney(amount: number, currency: string, language: string): string
