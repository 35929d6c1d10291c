// Asks GNUstep's NSPredicate what the benchmarks ask this package, and writes results as JSON lines.
//
//     gnustep FOLDER COUNT
//
// FOLDER holds people.jsonl and predicates.tsv, as `PredicateBenchmarks export` writes them. Rows are dictionaries,
// and objects of a class that are read by key-value coding.

#import <Foundation/Foundation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PASSES 5

@interface Department : NSObject {
    NSString *name;
}
@property (nonatomic, copy) NSString *name;
@end

@implementation Department
@synthesize name;
@end

@interface Person : NSObject {
    NSString *name;
    int age;
    NSString *email;
    double score;
    NSArray *tags;
    BOOL active;
    NSDate *created;
    Department *dept;
}
@property (nonatomic, copy) NSString *name;
@property (nonatomic) int age;
@property (nonatomic, copy) NSString *email;
@property (nonatomic) double score;
@property (nonatomic, copy) NSArray *tags;
@property (nonatomic) BOOL active;
@property (nonatomic, copy) NSDate *created;
@property (nonatomic, retain) Department *dept;
@end

@implementation Person
@synthesize name, age, email, score, tags, active, created, dept;
@end

/// The argument of P12, in seconds since 2001.
static const double middle = 599529600;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/// `2019-12-31T00:00:00Z`
static NSDate *dateFromText(NSString *text) {
    struct tm parts = {0};
    sscanf([text UTF8String], "%d-%d-%dT%d:%d:%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour,
           &parts.tm_min, &parts.tm_sec);
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    return [NSDate dateWithTimeIntervalSince1970:timegm(&parts)];
}

static Person *personFromRow(NSDictionary *row) {
    Person *person = [[Person new] autorelease];
    person.name = [row objectForKey:@"name"];
    person.age = [[row objectForKey:@"age"] intValue];
    person.email = [row objectForKey:@"email"];
    person.score = [[row objectForKey:@"score"] doubleValue];
    person.tags = [row objectForKey:@"tags"];
    person.active = [[row objectForKey:@"active"] boolValue];
    person.created = [row objectForKey:@"created"];
    person.dept = [[Department new] autorelease];
    person.dept.name = [[row objectForKey:@"dept"] objectForKey:@"name"];
    return person;
}

/// The first rows of a file, with a date where it has a text.
static NSArray *readRows(const char *path, long count) {
    NSMutableArray *rows = [NSMutableArray arrayWithCapacity:count];
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while (file && [rows count] < (NSUInteger)count && (length = getline(&line, &capacity, file)) > 0) {
        NSAutoreleasePool *pool = [NSAutoreleasePool new];
        NSData *data = [NSData dataWithBytes:line length:length];
        NSMutableDictionary *row = [NSJSONSerialization JSONObjectWithData:data
                                                                   options:NSJSONReadingMutableContainers
                                                                     error:NULL];
        [row setObject:dateFromText([row objectForKey:@"created"]) forKey:@"created"];
        [rows addObject:[NSDictionary dictionaryWithDictionary:row]];
        [pool drain];
    }
    free(line);
    if (file) fclose(file);
    return rows;
}

static int inOrder(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static void report(const char *suite, NSString *name, const char *variant, const char *unit, long scale,
                   double *samples, long result, const char *note) {
    qsort(samples, PASSES, sizeof(double), inOrder);
    printf("{\"suite\":\"%s\",\"name\":\"%s\",\"variant\":\"%s\",\"role\":\"peer\",\"scale\":%ld,\"unit\":\"%s\","
           "\"median\":%.3f,\"minimum\":%.3f,\"maximum\":%.3f,\"passes\":%d,\"result\":%ld",
           suite, [name UTF8String], variant, scale, unit, samples[PASSES / 2], samples[0], samples[PASSES - 1], PASSES,
           result);
    if (note) printf(",\"note\":\"%s\"", note);
    printf("}\n");
}

static NSPredicate *parse(NSString *format) {
    return [NSPredicate predicateWithFormat:format, [NSDate dateWithTimeIntervalSinceReferenceDate:middle]];
}

static void measureParsing(NSString *name, NSString *format) {
    double samples[PASSES];
    const int repetitions = 2000;
    for (int pass = 0; pass < PASSES; pass++) {
        double start = now();
        for (int index = 0; index < repetitions; index++) {
            NSAutoreleasePool *pool = [NSAutoreleasePool new];
            parse(format);
            [pool drain];
        }
        samples[pass] = (now() - start) / repetitions;
    }
    report("peers-parse", name, "GNUstep", "format", 1, samples, 1, NULL);
}

/// Known differences of GNUstep; any other difference is an error of these benchmarks.
static const char *knownDifference(const char *name) {
    static const char *const differences[][2] = {
        {"P02", "ignores [d]"},          {"P03", "ignores [d]"},          {"P14", "ignores [d]"},
        {"P05", "IN {…} finds nothing"}, {"P10", "IN {…} finds nothing"}, {"P06", "BETWEEN loses bounds"},
    };
    for (size_t index = 0; index < sizeof differences / sizeof *differences; index++) {
        if (strcmp(differences[index][0], name) == 0) return differences[index][1];
    }
    return NULL;
}

static void measureFiltering(NSString *name, NSPredicate *predicate, NSArray *rows, const char *variant, long truth) {
    double samples[PASSES];
    long found = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        found = 0;
        double start = now();
        for (id row in rows) {
            NSAutoreleasePool *pool = [NSAutoreleasePool new];
            found += [predicate evaluateWithObject:row];
            [pool drain];
        }
        samples[pass] = (now() - start) / [rows count];
    }
    report("peers", name, variant, "object", [rows count], samples, found,
           found == truth ? NULL : knownDifference([name UTF8String]));
}

static void measure(NSString *line, NSArray *rows, NSArray *people) {
    NSArray *fields = [line componentsSeparatedByString:@"\t"];
    if ([fields count] < 3) return;
    NSString *name = [fields objectAtIndex:0], *format = [fields objectAtIndex:2];
    @try {
        NSPredicate *predicate = parse(format);
        measureParsing(name, format);
        measureFiltering(name, predicate, rows, "GNUstep dictionaries", [[fields objectAtIndex:1] integerValue]);
        measureFiltering(name, predicate, people, "GNUstep objects", [[fields objectAtIndex:1] integerValue]);
    } @catch (NSException *exception) {
        fprintf(stderr, "%s: GNUstep cannot: %s\n", [name UTF8String], [[exception reason] UTF8String]);
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "gnustep FOLDER COUNT\n"), 2;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    NSString *folder = [NSString stringWithUTF8String:argv[1]];
    NSArray *rows = readRows([[folder stringByAppendingPathComponent:@"people.jsonl"] UTF8String], atol(argv[2]));
    NSMutableArray *people = [NSMutableArray arrayWithCapacity:[rows count]];
    for (NSDictionary *row in rows) [people addObject:personFromRow(row)];
    NSString *path = [folder stringByAppendingPathComponent:@"predicates.tsv"];
    NSString *text = [NSString stringWithContentsOfFile:path encoding:NSUTF8StringEncoding error:NULL];
    for (NSString *line in [text componentsSeparatedByString:@"\n"]) measure(line, rows, people);
    [pool drain];
    return 0;
}
