#!/usr/bin/env python3
"""Writes CSV files as Excel, LibreOffice, R and pandas write them, with the bytes that those programs choose.

python3 make.py writes them beside itself. Every one holds the same four orders, as far as its program can say them.
"""
import gzip
import pathlib

HERE = pathlib.Path(__file__).parent


def write(name, text, encoding="utf-8", mark=b""):
    data = mark + text.encode(encoding)
    (HERE / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


def crlf(text):
    return text.replace("\n", "\r\n")


# Excel, English: "CSV (Comma delimited)" is Windows-1252; formats of cells are kept.
US = """Zip,Name,Price,Share,Ordered,Paid
01234,Zoë,"1,234.50",12%,12/25/2024,TRUE
99999,"Doe, Jo",2.50,7.5%,1/5/2025,FALSE
10115,Ann,999.00,0%,2/28/2025,TRUE
00501,Bob,"12,000.00",100%,10/1/2024,FALSE
"""
write("excel-us.csv", crlf(US), "windows-1252")
write("excel-us-utf8.csv", crlf(US), mark=b"\xef\xbb\xbf")

# Excel, German, French and Swiss: semicolons, since the comma is decimal, or since the list separator is one.
DE = """PLZ;Name;Preis;Anteil;Bestellt;Bezahlt
01234;Zoë;1.234,50;12%;25.12.2024;WAHR
99999;Doe, Jo;2,50;7,5%;05.01.2025;FALSCH
10115;Ann;999,00;0%;28.02.2025;WAHR
00501;Bob;12.000,00;100%;01.10.2024;FALSCH
"""
write("excel-de.csv", crlf(DE), "windows-1252")
write("excel-fr.csv", crlf(DE.replace("1.234", "1\u202f234").replace("12.000", "12\u202f000").replace("%", " %")
                           .replace("25.12.2024", "25/12/2024").replace("05.01.2025", "05/01/2025")
                           .replace("28.02.2025", "28/02/2025").replace("01.10.2024", "01/10/2024")),
      mark=b"\xef\xbb\xbf")
write("excel-ch.csv", crlf(DE.replace("1.234,50", "1'234.50").replace("12.000,00", "12'000.00")
                           .replace("2,50", "2.50").replace("7,5", "7.5").replace("999,00", "999.00")), "windows-1252")
# "Unicode Text": UTF-16 with tabs, and quotes around cells with commas.
write("excel-unicode.txt", crlf(US.replace('"1,234.50"', '"1@234.50"').replace('"12,000.00"', '"12@000.00"')
                                .replace('"Doe, Jo"', '"Doe@ Jo"').replace(",", "\t").replace("@", ",")),
      "utf-16-le", b"\xff\xfe")
# The first line that makes Excel open a file with any delimiter; numbers in the scientific format.
write("excel-sep.csv", crlf("sep=|\nCode|Amount\nA|1.23E+05\nB|5.00E-02\n"))
# Columns without a header, and a row of blank cells.
write("excel-blank.csv", crlf("Id;Name;;\n1;Ann;x;\n;;;\n2;Bob;;y\n"))
# Two columns with one name.
write("excel-repeated.csv", crlf("Id,Amount,Amount\n1,10,20\n2,30,40\n"))

# Excel, the accounting format: signs of currencies apart from their numbers, parentheses for negative ones, a hyphen for
# zero; errors of formulas; dates in the format that Excel gives to what is typed.
write("excel-accounting.csv", crlf("""Account,Balance,Change,Paid on
Rent, $(500.00),-2.5%,1-Feb-24
Pay," $1,234.50 ",#DIV/0!,29-Feb-24
Cash, $-   ,+10%,15-Mar-24
"""), "windows-1252")
# Euros after the number, francs before it.
write("excel-euro.csv", crlf("Konto;Betrag;Franken\nMiete;-500,00 €;CHF -470.25\nLohn;1.234,50 €;CHF 1'160.00\n"),
      "windows-1252")
# A report: a title, an empty line, then the table, and a total under it.
write("excel-report.csv", crlf("Sales 2024;;\nPrinted;25.12.2024;\n\nCity;Orders;Sum\nBonn;12;1.200,50\nKöln;7;80,00\n"),
      mark=b"\xef\xbb\xbf")
# Google Sheets, English.
write("google.csv", crlf("""Name,Price,Fee,Joined,Member
Zoë,"$1,234.50",$0.50,2024/12/25,TRUE
Bob,-$7.00,$2.25,2025/1/5,FALSE"""))
# PostgreSQL's COPY … CSV HEADER, and psql with \\pset null.
write("postgresql.csv", """id,name,paid,at,balance
1,Zoë,t,2024-12-25 10:30:00+00,-5
2,"Doe, Jo",f,2025-01-05 00:00:00.123+01,
3,,f,,12.50
""")
# Java and JavaScript write infinity in full; a space after each comma, as people write by hand.
write("by-hand.csv", "id, size, ok, born\n1, 5, true, Dec 25 2024\n2, Infinity, false, 5 January 2025\n3, -Infinity, true,\n")

# LibreOffice: UTF-8, line feeds, texts in quotes if so chosen, line ends inside cells.
LO = '''"Zip","Name","Price","Ordered","Note"
"01234","Zoë",1234.5,2024-12-25,"two
lines"
"99999","Doe, Jo",2.5,2025-01-05,"say ""hi"""
"10115","Ann",999,2025-02-28,
"00501","Bob",12000,2024-10-01,""
'''
write("libreoffice.csv", LO)
write("libreoffice-utf16.csv", LO, "utf-16-be", b"\xfe\xff")
write("libreoffice-tab.tsv", '"Zip"\t"Name"\t"Price"\n"01234"\t"Zoë\t(x)"\t1234.5\n"99999"\t"Jo"\t2.5\n')

# R: write.csv with row names, write.csv2, write.table, and readr's write_csv.
R = """"","zip","name","price","paid","ordered"
"1","01234","Zoë",1234.5,TRUE,2024-12-25
"2","99999","Doe, Jo",NA,FALSE,2025-01-05
"3","10115",NA,1e+05,NA,NA
"4","00501","NA",-Inf,FALSE,2024-10-01
"""
write("r-write-csv.csv", R)
write("r-write-csv2.csv", R.replace("Doe, Jo", "Doe@ Jo").replace(",", ";").replace("1234.5", "1234,5")
      .replace("@", ","))
write("r-write-table.tsv", '"zip"\t"name"\t"price"\n"01234"\t"Zoë"\t1234.5\n"99999"\t"Jo"\tNA\n')
write("readr.csv", "zip,name,price,at\n01234,Zoë,1234.5,2024-12-25T10:30:00Z\n99999,NA,NA,NA\n10115,Ann,7,2025-01-05T00:00:00Z\n")

# pandas: the index as a column without a name, empty cells for missing values, quotes around everything.
PD = """,zip,name,price,paid,at
0,01234,Zoë,1234.5,True,2024-12-25 10:30:00
1,99999,"Doe, Jo",,False,2025-01-05 00:00:00
2,10115,Ann,1e-05,True,
"""
write("pandas.csv", PD)
write("pandas-compressed.csv.gz", PD)
write("pandas-quoted.csv", '"zip","name","price"\n"01234","Zoë","1234.5"\n"99999","Jo","2.5"\n')
write("pandas-pipe.csv", "zip|name|price\n01234|Zoë|1234.5\n99999|Doe, Jo|2.5\n")
write("pandas-nan.csv", "id,price,ratio\n1,NaN,inf\n2,2.5,-inf\n3,3.0,0.5\n")
